/** Hills: a grid of heights as a surface with contour lines of a metre's grid. */
import { BufferAttribute, BufferGeometry, type Color, DoubleSide, Mesh, MeshStandardMaterial } from "three";

/** Heights on a grid: row r, column c is at x0 + c·step, z0 + r·step. */
export interface GroundGrid {
  x0: number;
  z0: number;
  step: number;
  rows: number;
  columns: number;
  heights: ArrayLike<number>;
}

/** The lamps together make level ground brighter than the floor, which is not lit, by the inverse of this. */
const LIT = 0.78;

/** The height of a grid at a place, between its points evenly; beyond its edge that of the edge. */
export function heightOn(grid: GroundGrid, x: number, z: number): number {
  const column = Math.min(Math.max((x - grid.x0) / grid.step, 0), grid.columns - 1);
  const row = Math.min(Math.max((z - grid.z0) / grid.step, 0), grid.rows - 1);
  const c = Math.min(Math.floor(column), Math.max(grid.columns - 2, 0));
  const r = Math.min(Math.floor(row), Math.max(grid.rows - 2, 0));
  const at = (i: number, j: number): number => grid.heights[Math.min(i, grid.rows - 1) * grid.columns + Math.min(j, grid.columns - 1)]!;
  const u = column - c;
  const v = row - r;
  return (1 - v) * ((1 - u) * at(r, c) + u * at(r, c + 1)) + v * ((1 - u) * at(r + 1, c) + u * at(r + 1, c + 1));
}

/** A surface of a grid of heights. */
export function groundMesh(grid: GroundGrid, colour: Color, lines: Color): Mesh<BufferGeometry, MeshStandardMaterial> {
  const { rows, columns, step } = grid;
  const places = new Float32Array(rows * columns * 3);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      places[at * 3] = grid.x0 + column * step;
      places[at * 3 + 1] = grid.heights[at]!;
      places[at * 3 + 2] = grid.z0 + row * step;
    }
  }
  const faces = new Uint32Array(Math.max((rows - 1) * (columns - 1) * 6, 0));
  let face = 0;
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const a = row * columns + column;
      faces.set([a, a + columns, a + 1, a + 1, a + columns, a + columns + 1], face);
      face += 6;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setIndex(new BufferAttribute(faces, 1));
  geometry.computeVertexNormals();
  const material = new MeshStandardMaterial({ color: colour.clone().multiplyScalar(LIT), roughness: 1, metalness: 0, side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  drawMetres(material, lines);
  const mesh = new Mesh(geometry, material);
  mesh.receiveShadow = true;
  return mesh;
}

/** Lines at every metre of x and z, drawn by the surface's own shader. */
function drawMetres(material: MeshStandardMaterial, colour: Color): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms["metreColour"] = { value: colour.clone() };
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 metrePlace;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nmetrePlace = position;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nvarying vec3 metrePlace;\nuniform vec3 metreColour;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        vec2 metre = abs(fract(metrePlace.xz - 0.5) - 0.5) / fwidth(metrePlace.xz);
        float metreLine = 1.0 - smoothstep(0.4, 1.4, min(metre.x, metre.y));
        diffuseColor.rgb = mix(diffuseColor.rgb, metreColour, metreLine * 0.8);`,
      );
  };
}
