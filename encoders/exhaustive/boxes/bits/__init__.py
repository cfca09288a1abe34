"""The meaning of terms about one position as rows of bits."""
