"""Fills widget files with the package `openai-chatkit`.

    build.py FILE    FILE: [{"file": path, "input": {...}}, ...]

Prints the trees, a JSON array.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")

from chatkit.widgets import WidgetTemplate

trees = []
with open(sys.argv[1], encoding="utf-8") as cases:
    for case in json.load(cases):
        template = WidgetTemplate.from_file(case["file"])
        # Fails unless the tree is a root. What it returns has lost what the types do not know.
        template.build(case["input"])
        trees.append(json.loads(template.template.render(**case["input"])))
json.dump(trees, sys.stdout)
