"""The pipeline from the pinned schemas to the committed packages; `pipeline.py` states its order."""
