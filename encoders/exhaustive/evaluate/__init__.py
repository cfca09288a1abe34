"""The values of terms at many cases at once."""
