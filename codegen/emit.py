"""Emitting: datamodel-code-generator turns an annotated schema into models, in dependency order, as one text."""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import datamodel_code_generator as dcg
from datamodel_code_generator.enums import DataModelType
from datamodel_code_generator.format import Formatter, PythonVersion
from datamodel_code_generator.parser import LiteralType

from codegen.canonical import Schema
from codegen.problems import Problem

OPTIONS: dict[str, Any] = {
    "allow_remote_refs": False,
    "disable_future_imports": True,
    "disable_timestamp": True,
    "enum_field_as_literal": LiteralType.All,
    "field_constraints": True,
    "formatters": [Formatter.BUILTIN],
    "input_file_type": dcg.InputFileType.JsonSchema,
    "keep_model_order": True,
    "output_model_type": DataModelType.PydanticV2BaseModel,
    "remove_special_field_name_prefix": True,
    "skip_root_model": True,
    "snake_case_field": True,
    "strict_refs": True,
    "target_python_version": PythonVersion.PY_310,
    "type_mappings": ["byte=string", "uri=string", "uri-template=string"],
    "use_annotated": True,
    "use_double_quotes": True,
    "use_field_description": True,
    "use_schema_description": True,
    "use_standard_collections": True,
    "use_type_alias": True,
    "use_union_operator": True,
}
SUPERSET: dict[str, Any] = {"base_class": "mcp_surfaces.base.MCPModel", "use_one_literal_as_default": True}
SURFACE: dict[str, Any] = {"base_class": "mcp_surfaces.base.ExactModel", "use_missing_sentinel": True}


def emit(document: Schema, where: str, options: dict[str, Any]) -> str:
    """The Python text of the models of `document`. Raises Problem, naming `where`, when the generator refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "models.py"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # An unknown `format` only annotates; all else it says is an error.
                dcg.generate(json.dumps(document, sort_keys=False), output=output, **OPTIONS, **options)
        except Exception as error:  # It has errors of many types, and each is about the schema.
            what = f"{type(error).__name__}: {error}"
            raise Problem(where, "", f"datamodel-code-generator refuses the schema ({what})") from None
        return output.read_text(encoding="utf-8")
