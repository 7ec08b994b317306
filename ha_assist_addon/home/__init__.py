"""What a request tells of the home: its entities, areas, live states and tools."""
