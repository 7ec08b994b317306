"""What was asked for, what carries it out, and whether it may be done."""
