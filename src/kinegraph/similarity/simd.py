"""The loops of the dense comparison, written directly in LLVM's vector instructions, because nearly all its time is spent in them.

`multiply_panel` is the inner block of a matrix product; `window_distances` sums products along diagonals and completes the distance, for
`SPAN` windows or, as `few_distances`, for `LANES`; `any_minimum` looks for local minima. numba's own vectoriser reaches a third of their
speed, and a BLAS call for each tile loses as much to its locks when two threads call it. Vectors have eight floats: the compiler splits or
joins them for processors with other sizes. `simd_near` has the loops of the sparse comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
# rows and columns of the block of a product that is held in registers: 12 sums, 2 loads and a broadcast fit the 16 of
# AVX2
ROWS = 6
COLUMNS = 2 * LANES
# columns that `window_distances` and `any_minimum` deal with at once
SPAN = 4 * LANES

FLOAT = ir.FloatType()
VECTOR = ir.VectorType(FLOAT, LANES)
INDEX = ir.IntType(64)


def number(value: int) -> ir.Constant:
    """A number as the compiler has it."""
    return ir.Constant(INDEX, value)


class Code:
    """A little shorthand over llvmlite's builder."""

    def __init__(self, builder: Any):
        self.builder = builder

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        """a · b + c."""
        kind = ir.FunctionType(VECTOR, [VECTOR] * 3)
        name = f"llvm.fma.v{LANES}f32"
        return self.call(name, kind, [a, b, c])

    def sqrt(self, a: Any) -> Any:
        """The square root."""
        kind = ir.FunctionType(VECTOR, [VECTOR])
        name = f"llvm.sqrt.v{LANES}f32"
        return self.call(name, kind, [a])

    def call(self, name: str, kind: Any, args: Sequence[Any]) -> Any:
        """One of the compiler's own functions."""
        function = cgutils.get_or_insert_function(self.builder.module, kind, name)  # type: ignore[no-untyped-call]
        return self.builder.call(function, args)

    def place(self, base: Any, offset: Any, vector: int = 0) -> Any:
        """Where a vector begins, so many vectors behind an offset."""
        return self.builder.gep(base, [self.builder.add(offset, number(vector * LANES))])

    def load(self, pointer: Any) -> Any:
        """The vector from there on."""
        return self.builder.load(self.builder.bitcast(pointer, VECTOR.as_pointer()), align=4)

    def store(self, value: Any, pointer: Any) -> None:
        """Write a vector there."""
        self.builder.store(value, self.builder.bitcast(pointer, VECTOR.as_pointer()), align=4)

    def spread(self, scalar: Any) -> Any:
        """A number in all lanes."""
        one = self.builder.insert_element(ir.Constant(VECTOR, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), lanes)

    def sums(self, count: Any, many: int, step: Callable[[Any, Sequence[Any]], Sequence[Any]]) -> Sequence[Any]:
        """``many`` vectors that begin as zero and go through ``step(k, sums)`` for k = 0 … count−1 (count ≥ 1)."""
        builder = self.builder
        before = builder.block
        loop, after = builder.append_basic_block("sum"), builder.append_basic_block("summed")
        builder.branch(loop)
        builder.position_at_end(loop)
        k = builder.phi(INDEX)
        k.add_incoming(number(0), before)
        held = [builder.phi(VECTOR) for _ in range(many)]
        for vector in held:
            vector.add_incoming(ir.Constant(VECTOR, [0.0] * LANES), before)
        grown = step(k, held)
        following = builder.add(k, number(1))
        k.add_incoming(following, loop)
        for vector, value in zip(held, grown, strict=True):
            vector.add_incoming(value, loop)
        builder.cbranch(builder.icmp_signed("<", following, count), loop, after)
        builder.position_at_end(after)
        return grown


def data_of(context: Any, builder: Any, signature: Any, args: Any, index: int) -> Any:
    """Where the numbers of an argument that is an array begin."""
    return context.make_array(signature.args[index])(context, builder, args[index]).data


def _multiply_panel(typing, a, a_at, b, b_at, depth, out, out_at, stride):  # type: ignore[no-untyped-def]
    """``out[r, c] = Σ_k a[k, r] · b[k, c]`` for a panel ``(depth, ROWS)`` of ``a`` and one ``(depth, COLUMNS)`` of
    ``b``.

    ``*_at`` are offsets into the flat arrays, ``stride`` the length of a row of ``out``.
    """
    signature = types.void(a, a_at, b, b_at, depth, out, out_at, stride)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        code = Code(builder)
        left = builder.gep(data_of(context, builder, signature, args, 0), [args[1]])
        right = builder.gep(data_of(context, builder, signature, args, 2), [args[3]])
        target = builder.gep(data_of(context, builder, signature, args, 5), [args[6]])
        wide = COLUMNS // LANES

        def step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            at = builder.mul(k, number(COLUMNS))
            columns = [code.load(code.place(right, at, v)) for v in range(wide)]
            at = builder.mul(k, number(ROWS))
            grown = []
            for r in range(ROWS):
                row = code.spread(builder.load(builder.gep(left, [builder.add(at, number(r))])))
                grown += [code.fma(row, columns[v], held[r * wide + v]) for v in range(wide)]
            return grown

        total = code.sums(args[4], ROWS * wide, step)
        for r in range(ROWS):
            at = builder.mul(args[7], number(r))
            for v in range(wide):
                code.store(total[r * wide + v], code.place(target, at, v))
        return context.get_dummy_value()

    return signature, generate


def _window_distances(wide: int) -> Any:
    """The intrinsic for so many vectors of windows."""

    def distances(  # type: ignore[no-untyped-def]
        typing, dots, crosses, heights, at, step, taper, frames, own, own_at, other, other_at, padded, out, out_at
    ):
        """Squared distances of one window of A to some windows of B.

        dots, crosses, heights: products of single frames; ``at`` is the offset of the first frames' product, and the next
        frames' lies ``step`` further. They are summed with the weights ``taper`` over ``frames``. own: moment, x and z of A's
        window from ``own_at`` on; other: ``(3, padded)`` flat, the same of B's windows, read from ``other_at`` on.
        """
        signature = types.void(
            dots, crosses, heights, at, step, taper, frames, own, own_at, other, other_at, padded, out, out_at
        )

        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            code = Code(builder)
            products = [builder.gep(data_of(context, builder, signature, args, n), [args[3]]) for n in range(3)]
            taper, own, other, out = (data_of(context, builder, signature, args, n) for n in (5, 7, 9, 12))
            own = builder.gep(own, [args[8]])

            def step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
                weight = code.spread(builder.load(builder.gep(taper, [k])))
                offset = builder.mul(k, args[4])
                return [
                    code.fma(weight, code.load(code.place(products[n], offset, v)), held[n * wide + v])
                    for n in range(3)
                    for v in range(wide)
                ]

            total = code.sums(args[6], 3 * wide, step)
            moment, x, z = (code.spread(builder.load(builder.gep(own, [number(n)]))) for n in range(3))
            minus_x, minus_z = builder.fneg(x), builder.fneg(z)
            rows = [builder.add(args[10], builder.mul(args[11], number(n))) for n in range(3)]
            minus_two = ir.Constant(VECTOR, [-2.0] * LANES)
            for v in range(wide):
                other_moment, other_x, other_z = (code.load(code.place(other, row, v)) for row in rows)
                # what the centroids add to the products of single frames is taken out again
                dot = code.fma(minus_z, other_z, code.fma(minus_x, other_x, total[v]))
                cross = code.fma(z, other_x, code.fma(minus_x, other_z, total[wide + v]))
                length = code.sqrt(code.fma(dot, dot, builder.fmul(cross, cross)))
                both = builder.fadd(length, total[2 * wide + v])
                value = code.fma(minus_two, both, builder.fadd(moment, other_moment))
                code.store(value, code.place(out, args[13], v))
            return context.get_dummy_value()

        return signature, generate

    return intrinsic(distances)


def _any_minimum(typing, out, at, stride, limit, doubt):  # type: ignore[no-untyped-def]
    """Whether any of `SPAN` squared distances from offset ``at`` on is not above ``limit``, nor above any of its eight
    neighbours by
    more than ``doubt``. Rows of ``out`` are ``stride`` long.
    """
    signature = types.boolean(out, at, stride, limit, doubt)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        code = Code(builder)
        values = data_of(context, builder, signature, args, 0)
        limit, doubt = code.spread(args[3]), code.spread(args[4])
        rows = [builder.add(args[1], builder.mul(args[2], ir.Constant(INDEX, n))) for n in (-1, 0, 1)]
        found = None
        for v in range(SPAN // LANES):
            near = [
                code.load(code.place(values, builder.add(row, ir.Constant(INDEX, shift)), v))
                for row in rows
                for shift in (-1, 0, 1)
                if (row, shift) != (rows[1], 0)
            ]
            least = near[0]
            for other in near[1:]:
                least = builder.select(builder.fcmp_ordered("<", least, other), least, other)
            least = builder.fadd(least, doubt)
            least = builder.select(builder.fcmp_ordered("<", least, limit), least, limit)
            low = builder.fcmp_ordered("<=", code.load(code.place(values, rows[1], v)), least)
            found = low if found is None else builder.or_(found, low)
        return builder.icmp_unsigned("!=", builder.bitcast(found, ir.IntType(LANES)), ir.Constant(ir.IntType(LANES), 0))

    return signature, generate


multiply_panel = cast(Any, intrinsic(_multiply_panel))
any_minimum = cast(Any, intrinsic(_any_minimum))
window_distances = cast(Any, _window_distances(SPAN // LANES))
few_distances = cast(Any, _window_distances(1))
