/** Linear equations, few of them. */

/** Gaussian elimination of a system that needs no pivoting (positive definite, or totally positive); right-hand sides are its last columns. */
export function solved(rows: number[][], size: number): number[][] {
  const width = rows[0]?.length ?? 0;
  for (let pivot = 0; pivot < size; pivot++) {
    const row = rows[pivot]!;
    for (const below of rows.slice(pivot + 1)) {
      const share = below[pivot]! / row[pivot]!;
      if (share === 0) continue;
      for (let c = pivot; c < width; c++) below[c] = below[c]! - share * row[c]!;
    }
  }
  const found: number[][] = new Array(size);
  for (let r = size - 1; r >= 0; r--) {
    const row = rows[r]!;
    found[r] = Array.from({ length: width - size }, (_, axis) => {
      let value = row[size + axis]!;
      for (let c = r + 1; c < size; c++) value -= row[c]! * found[c]![axis]!;
      return value / row[r]!;
    });
  }
  return found;
}
