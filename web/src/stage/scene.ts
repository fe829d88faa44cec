/** What the actors stand in: floor with metre lines, sky, light and shadow. */
import {
  AmbientLight,
  BackSide,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { Palette, Scenery } from "./palette";

const SIZE = 240;
// where the sun stands, seen from what it lights
const SUN = new Vector3(3.2, 6.0, 2.4);
// the shadow is drawn for a square of at least this half width about the actors, and at most that
const NEAR = 2.2;
const FAR = 9;

const FLOOR_VERTEX = `
varying vec3 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xyz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

// floor and sky fill the picture, so what they cost is what a picture costs without a graphics card: their colours come
// as the screen has them, the sky's are mixed at its corners only, and there is none where only floor is seen

// lines as wide as a pixel or as 12 mm, whichever is more, so that they neither flicker far off nor look thin near by
const FLOOR_FRAGMENT = `
uniform vec3 floorColour;
uniform vec3 fineColour;
uniform vec3 coarseColour;
uniform float lines;
uniform float reach;
varying vec3 place;

float line(vec2 at, float every, float width) {
  vec2 scaled = at / every;
  vec2 change = fwidth(scaled);
  vec2 half_ = max(change * 0.65, vec2(width / every * 0.5));
  vec2 off = abs(fract(scaled - 0.5) - 0.5);
  vec2 hit = 1.0 - smoothstep(half_ - change * 0.5, half_ + change, off);
  // where lines come closer than some pixels they become an even grey, then nothing
  hit *= 1.0 - smoothstep(0.25, 0.7, change);
  return max(hit.x, hit.y);
}

void main() {
  float away = distance(place.xz, cameraPosition.xz);
  float height = max(cameraPosition.y, 1.0);
  float near = away / (reach + 2.0 * height);
  float fade = exp(-near * near);
  vec3 colour = floorColour;
  if (lines > 0.0 && fade > 0.004) {
    colour = mix(colour, fineColour, line(place.xz, 1.0, 0.010) * fade * 0.8);
    colour = mix(colour, coarseColour, line(place.xz, 5.0, 0.016) * fade);
  }
  gl_FragColor = vec4(colour, 1.0 - smoothstep(reach * 1.2 + 1.5 * height, reach * 4.0 + 6.0 * height, away));
}`;

const SKY_VERTEX = `
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 below;
varying vec3 colour;
void main() {
  float up = normalize(position).y;
  colour = mix(horizon, zenith, smoothstep(0.0, 0.55, up));
  colour = mix(colour, below, smoothstep(0.01, -0.22, up));
  gl_Position = projectionMatrix * viewMatrix * vec4(position + cameraPosition, 1.0);
  gl_Position.z = gl_Position.w;
}`;

const SKY_FRAGMENT = `
varying vec3 colour;
void main() {
  gl_FragColor = vec4(colour, 1.0);
}`;

const SPOT_VERTEX = `
varying vec2 at;
void main() {
  at = position.xz;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const SPOT_FRAGMENT = `
uniform float strength;
varying vec2 at;
void main() {
  gl_FragColor = vec4(0.0, 0.0, 0.0, strength * exp(-dot(at, at) * 14.0));
}`;

export class Scene {
  readonly group = new Group();
  #floor: Mesh<PlaneGeometry, ShaderMaterial>;
  #sky: Mesh<SphereGeometry, ShaderMaterial>;
  #shade: Mesh<PlaneGeometry, ShadowMaterial>;
  #hemisphere = new HemisphereLight();
  #fill = new AmbientLight();
  #sun = new DirectionalLight();
  #texel = 1;
  #flat = true;
  #spots: Mesh<PlaneGeometry, ShaderMaterial>[] = [];
  #spotShape = new PlaneGeometry(1.5, 1.5).rotateX(-Math.PI / 2);
  #spotMaterial = new ShaderMaterial({
    vertexShader: SPOT_VERTEX,
    fragmentShader: SPOT_FRAGMENT,
    transparent: true,
    depthWrite: false,
    uniforms: { strength: { value: 0.3 } },
  });

  constructor() {
    const flat = new PlaneGeometry(SIZE, SIZE).rotateX(-Math.PI / 2);
    this.#floor = new Mesh(
      flat,
      new ShaderMaterial({
        vertexShader: FLOOR_VERTEX,
        fragmentShader: FLOOR_FRAGMENT,
        transparent: true,
        depthWrite: false,
        uniforms: {
          floorColour: { value: new Color() },
          fineColour: { value: new Color() },
          coarseColour: { value: new Color() },
          lines: { value: 1 },
          reach: { value: 14 },
        },
      }),
    );
    this.#floor.renderOrder = -2;
    this.#sky = new Mesh(
      // to below the horizon, where it is the empty picture's colour; a row for every two degrees, lest there is a kink
      new SphereGeometry(10, 12, 52, 0, 2 * Math.PI, 0, Math.acos(-0.24)),
      new ShaderMaterial({
        vertexShader: SKY_VERTEX,
        fragmentShader: SKY_FRAGMENT,
        side: BackSide,
        depthWrite: false,
        depthTest: false,
        uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() }, below: { value: new Color() } },
      }),
    );
    this.#sky.frustumCulled = false;
    this.#sky.renderOrder = -10;
    this.#shade = new Mesh(flat, new ShadowMaterial({ depthWrite: false }));
    this.#shade.receiveShadow = true;
    this.#shade.renderOrder = -1;
    this.#shade.position.y = 0.001;
    const shadow = this.#sun.shadow;
    shadow.mapSize.set(1024, 1024);
    shadow.radius = 5;
    shadow.blurSamples = 14;
    shadow.bias = -0.0002;
    shadow.normalBias = 0.01;
    shadow.camera.near = 1;
    shadow.camera.far = 24;
    this.group.add(this.#sky, this.#floor, this.#shade, this.#hemisphere, this.#fill, this.#sun, this.#sun.target);
    this.light(new Float32Array(3), NEAR);
  }

  /** Light or dark. */
  colour(scenery: Scenery, palette: Palette): void {
    const floor = this.#floor.material.uniforms;
    const sky = this.#sky.material.uniforms;
    const uniforms = [
      [floor["floorColour"], scenery.floor],
      [floor["fineColour"], scenery.fine],
      [floor["coarseColour"], scenery.coarse],
      [sky["zenith"], scenery.zenith],
      [sky["horizon"], scenery.horizon],
      [sky["below"], scenery.floor],
    ] as const;
    for (const [uniform, name] of uniforms) (uniform!.value as Color).copyLinearToSRGB(palette.colour(name));
    this.#hemisphere.color.copy(palette.colour(scenery.sky));
    this.#hemisphere.groundColor.copy(palette.colour(scenery.ground));
    this.#hemisphere.intensity = scenery.hemisphere;
    this.#fill.intensity = 0.25;
    this.#sun.intensity = scenery.sun;
    this.#shade.material.opacity = scenery.shadow;
  }

  /** Whether metre lines are drawn. */
  set lines(on: boolean) {
    this.#floor.material.uniforms["lines"]!.value = on ? 1 : 0;
  }

  /** Whether shadows are drawn. */
  set shadows(on: boolean) {
    this.#sun.castShadow = on;
    this.#shade.visible = on && this.#flat;
  }

  /** Whether the flat floor is drawn: hills have one of their own. */
  set flat(on: boolean) {
    this.#floor.visible = on;
    this.#flat = on;
    this.#shade.visible = on && this.#sun.castShadow;
  }

  /** Let the sun light the square of so many metres' half width about a place. */
  light(centre: ArrayLike<number>, half: number): void {
    // steps, so that the shadow's edges do not creep as the square grows
    const width = Math.min(Math.max(Math.ceil(half * 2) / 2, NEAR), FAR);
    const camera = this.#sun.shadow.camera;
    if (camera.right !== width) {
      camera.left = camera.bottom = -width;
      camera.right = camera.top = width;
      camera.updateProjectionMatrix();
      this.#texel = (2 * width) / this.#sun.shadow.mapSize.x;
    }
    const snap = (value: number): number => Math.round(value / (this.#texel * 8)) * this.#texel * 8;
    const x = snap(centre[0]!);
    const z = snap(centre[2]!);
    this.#sun.target.position.set(x, 0.9, z);
    this.#sun.position.set(x, 0.9, z).addScaledVector(SUN, 1.6);
  }

  /** Soft spots on the ground below bodies, at [x, y, z]; strength beside that of a shadow. */
  spots(centres: Iterable<ArrayLike<number>>, strength: number): void {
    this.#spotMaterial.uniforms["strength"]!.value = this.#shade.material.opacity * strength;
    let used = 0;
    for (const centre of centres) {
      const spot = (this.#spots[used] ??= this.#newSpot());
      spot.visible = true;
      spot.position.set(centre[0]!, centre[1]! + 0.0015, centre[2]!);
      used++;
    }
    for (; used < this.#spots.length; used++) this.#spots[used]!.visible = false;
  }

  #newSpot(): Mesh<PlaneGeometry, ShaderMaterial> {
    const spot = new Mesh(this.#spotShape, this.#spotMaterial);
    spot.renderOrder = -1;
    this.group.add(spot);
    return spot;
  }

  dispose(): void {
    this.#spotShape.dispose();
    this.#spotMaterial.dispose();
    for (const mesh of [this.#floor, this.#sky, this.#shade]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.#sun.dispose();
  }
}
