"""Runs fixture.onnx in onnxruntime and keeps what comes out.

    pip install onnxruntime onnx
    cargo test -p tetrolab --lib onnx -- --ignored
    python crates/lab/src/library/onnx/fixture.py
"""

import json
import pathlib

import numpy
import onnx
import onnxruntime

here = pathlib.Path(__file__).parent
onnx.checker.check_model(onnx.load(here / "fixture.onnx"), full_check=True)
fixture = json.loads((here / "fixture.json").read_text())
session = onnxruntime.InferenceSession(here / "fixture.onnx")
inputs = numpy.array(fixture["inputs"], dtype=numpy.float32)
(outputs,) = session.run(["outputs"], {"inputs": inputs})
fixture["made_with"] = f"onnxruntime {onnxruntime.__version__}"
fixture["outputs"] = outputs.astype(float).tolist()
(here / "fixture.json").write_text(json.dumps(fixture, indent=1) + "\n")
