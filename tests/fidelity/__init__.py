"""The proof of exactness: models against an independent JSON Schema validator, over generated and mutated instances."""
