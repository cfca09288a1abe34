"""What all encoders stand on: refusals, how far an answer reaches, what it takes on trust."""
