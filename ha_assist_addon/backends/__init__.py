"""Language models that can be asked once; none of them knows Home Assistant."""
