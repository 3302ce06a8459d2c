"""Time and memory of this package against pydantic itself and against its best peer: `python -m benchmarks`."""
