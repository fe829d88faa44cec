"""The loops of the sparse comparison in LLVM's vector instructions: two lower bounds, and products of single frames along diagonals.

A bound is the distance of two points of a space of a few real and a few complex directions, turned so that it is smallest:
|r − r'|² + |c|² + |c'|² − 2 |⟨c, c'⟩|. `bounds` says why. Points come as rows: the real ones, real and imaginary part of each
complex one, the sum of squares, the radius.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kinegraph.similarity.simd import FLOAT, LANES, SPAN, VECTOR, Code, data_of, number

# windows, or runs of windows, in a leaf; frames of A that `diagonal_products` takes at once
QUARTERS = 4
STEPS = 4

_HALF = ir.VectorType(FLOAT, QUARTERS)


def _lanes(*lanes: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes))


def _within(code: Any, real: Any, re: Any, im: Any, norms: Any, reach: Any) -> Any:
    """Whether the bound, squared, is at most the square of the reach: a mask of lanes."""
    builder = code.builder
    length = code.sqrt(code.fma(re, re, builder.fmul(im, im)))
    square = code.fma(ir.Constant(VECTOR, [-2.0] * LANES), builder.fadd(real, length), norms)
    return builder.fcmp_ordered("<=", square, builder.fmul(reach, reach))


def _near_leaves(typing, own, own_at, other, other_at, padded, reals, complexes, limit):  # type: ignore[no-untyped-def]
    """Bits of those of `SPAN` leaves of B that may hold a window within ``limit`` of one in a leaf of A.

    own: the row of A's leaf from ``own_at`` on. other: rows of B's leaves, each ``padded`` long, from ``other_at`` on.
    """
    signature = types.int64(own, own_at, other, other_at, padded, reals, complexes, limit)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        code = Code(builder)
        own = builder.gep(data_of(context, builder, signature, args, 0), [args[1]])
        other = builder.gep(data_of(context, builder, signature, args, 2), [args[3]])
        padded, reals, complexes = args[4:7]
        wide = SPAN // LANES

        def here(row: Any) -> Any:
            return code.spread(builder.load(builder.gep(own, [row])))

        def there(row: Any) -> list[Any]:
            return [code.load(code.place(other, builder.mul(row, padded), v)) for v in range(wide)]

        def real_step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            one = here(k)
            return [code.fma(one, two, sum_) for two, sum_ in zip(there(k), held, strict=True)]

        def complex_step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            row = builder.add(reals, builder.mul(k, number(2)))
            re, im = here(row), here(builder.add(row, number(1)))
            minus = builder.fneg(im)
            grown = list(held)
            for v, (x, y) in enumerate(zip(there(row), there(builder.add(row, number(1))), strict=True)):
                grown[v] = code.fma(im, y, code.fma(re, x, held[v]))
                grown[wide + v] = code.fma(minus, x, code.fma(re, y, held[wide + v]))
            return grown

        real = code.sums(reals, wide, real_step)
        turned = code.sums(complexes, 2 * wide, complex_step)
        norm = builder.add(reals, builder.mul(complexes, number(2)))
        radius = builder.add(norm, number(1))
        norms, radii = there(norm), there(radius)
        reach = builder.fadd(here(radius), code.spread(args[7]))
        bits = ir.Constant(ir.IntType(64), 0)
        for v in range(wide):
            near = _within(
                code,
                real[v],
                turned[v],
                turned[wide + v],
                builder.fadd(here(norm), norms[v]),
                builder.fadd(reach, radii[v]),
            )
            lanes = builder.zext(builder.bitcast(near, ir.IntType(LANES)), ir.IntType(64))
            bits = builder.or_(bits, builder.shl(lanes, number(v * LANES)))
        return bits

    return signature, generate


def _near_quarters(typing, rows, a_at, b_at, reals, complexes, limit):  # type: ignore[no-untyped-def]
    """Whether any of the four quarters of a leaf of A may hold a window within ``limit`` of one in a quarter of a leaf of B.

    rows: of quarters, four numbers each; those of the two leaves begin at ``a_at`` and ``b_at``.
    """
    signature = types.boolean(rows, a_at, b_at, reals, complexes, limit)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        code = Code(builder)
        rows = data_of(context, builder, signature, args, 0)
        reals, complexes = args[3], args[4]
        # eight lanes hold two quarters of A beside all four of B
        upper, lower, both = (
            _lanes(0, 0, 0, 0, 1, 1, 1, 1),
            _lanes(2, 2, 2, 2, 3, 3, 3, 3),
            _lanes(0, 1, 2, 3, 0, 1, 2, 3),
        )

        def four(at: Any, row: Any) -> Any:
            place = builder.gep(rows, [builder.add(at, builder.mul(row, number(QUARTERS)))])
            return builder.load(builder.bitcast(place, _HALF.as_pointer()), align=4)

        def spread(value: Any, lanes: ir.Constant) -> Any:
            return builder.shuffle_vector(value, ir.Constant(_HALF, ir.Undefined), lanes)

        def pair(row: Any) -> tuple[list[Any], Any]:
            one, two = four(args[1], row), four(args[2], row)
            return [spread(one, upper), spread(one, lower)], spread(two, both)

        def real_step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            ones, two = pair(k)
            return [code.fma(one, two, sum_) for one, sum_ in zip(ones, held, strict=True)]

        def complex_step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            row = builder.add(reals, builder.mul(k, number(2)))
            re, x = pair(row)
            im, y = pair(builder.add(row, number(1)))
            grown = list(held)
            for n in range(2):
                grown[n] = code.fma(im[n], y, code.fma(re[n], x, held[n]))
                grown[2 + n] = code.fma(builder.fneg(im[n]), x, code.fma(re[n], y, held[2 + n]))
            return grown

        real = code.sums(reals, 2, real_step)
        turned = code.sums(complexes, 4, complex_step)
        norm = builder.add(reals, builder.mul(complexes, number(2)))
        norms, other_norms = pair(norm)
        radii, other_radii = pair(builder.add(norm, number(1)))
        limit = code.spread(args[5])
        found = None
        for n in range(2):
            reach = builder.fadd(builder.fadd(radii[n], other_radii), limit)
            near = _within(code, real[n], turned[n], turned[2 + n], builder.fadd(norms[n], other_norms), reach)
            found = near if found is None else builder.or_(found, near)
        return builder.icmp_unsigned("!=", builder.bitcast(found, ir.IntType(LANES)), ir.Constant(ir.IntType(LANES), 0))

    return signature, generate


def _diagonal_products(typing, points, a_at, a_stride, b_at, b_stride, depth, dots, crosses, heights, at):  # type: ignore[no-untyped-def]
    """Products of `STEPS` frames of A, each with `LANES` frames of B of which the first lies one further for each frame of A.

    points: coordinates of chunks, flat; of each x, y, z in ``depth`` rows of frames. ``a_at`` and ``b_at`` are the places of the first
    frames in the first row. The sums over all rows go to dots, crosses and heights, `LANES` for each frame of A, from ``at`` on.
    """
    signature = types.void(points, a_at, a_stride, b_at, b_stride, depth, dots, crosses, heights, at)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        code = Code(builder)
        points = data_of(context, builder, signature, args, 0)
        depth = args[5]

        def step(k: Any, held: Sequence[Any]) -> Sequence[Any]:
            grown = list(held)
            rows = [builder.add(k, builder.mul(depth, number(n))) for n in range(3)]
            a_rows = [builder.gep(points, [builder.add(args[1], builder.mul(row, args[2]))]) for row in rows]
            b_rows = [builder.gep(points, [builder.add(args[3], builder.mul(row, args[4]))]) for row in rows]
            for s in range(STEPS):
                x, y, z = (code.spread(builder.load(builder.gep(row, [number(s)]))) for row in a_rows)
                u, v, w = (code.load(builder.gep(row, [number(s)])) for row in b_rows)
                dot, cross, height = held[3 * s : 3 * s + 3]
                grown[3 * s] = code.fma(z, w, code.fma(x, u, dot))
                grown[3 * s + 1] = code.fma(builder.fneg(z), u, code.fma(x, w, cross))
                grown[3 * s + 2] = code.fma(y, v, height)
            return grown

        total = code.sums(depth, 3 * STEPS, step)
        targets = [data_of(context, builder, signature, args, n) for n in (6, 7, 8)]
        for s in range(STEPS):
            for n, target in enumerate(targets):
                code.store(total[3 * s + n], code.place(target, args[9], s))
        return context.get_dummy_value()

    return signature, generate


near_leaves = cast(Any, intrinsic(_near_leaves))
near_quarters = cast(Any, intrinsic(_near_quarters))
diagonal_products = cast(Any, intrinsic(_diagonal_products))
