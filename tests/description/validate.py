"""Says what is wrong with an OpenAPI document, judged by a validator that is none of ours, and with its examples."""

import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

document = json.load(open(sys.argv[1]))
schemas = document["components"]["schemas"]
problems = [f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
for name, schema in schemas.items():
    # References lead into the document, so each schema is judged inside a copy of it.
    validator = Draft202012Validator({**schema, "components": document["components"]})
    for error in validator.iter_errors(schema.get("example")):
        problems.append(f"the example of {name}: {list(error.path)}: {error.message}")
for problem in problems:
    print(problem[:300])
print(f"description: {len(document['paths'])} paths, {len(schemas)} schemas with examples, {len(problems)} problems")
sys.exit(1 if problems else 0)
