"""What every rule of proof is made of: obligations posed, an outline for readers, shapes of claims."""
