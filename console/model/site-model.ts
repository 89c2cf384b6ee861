import {
  AmbientLight,
  BufferGeometry,
  Color,
  DirectionalLight,
  Line,
  LineBasicMaterial,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { type DrawnSite, disposeOf, readSite, type SiteFacts, VIEW_DEG } from "./drawn-site.ts";
import type { SitePlace } from "./measure.ts";
import { directionOf, type Preset } from "./presets.ts";

/** A press that moves farther turns the view and sets no point, pixels. */
const CLICK_PX = 5;
/** The view cannot be turned below the ground, where everything is inside out; radians from straight above. */
const MOST_TILT = Math.PI / 2 - 0.01;
const GROUNDS = { light: 0xe4eaee, dark: 0x0e151b } as const;
const LINE = 0xd6006c;
/** Room around a site that is shown whole. */
const MARGIN = 1.06;
/** Corners of a box of 1 m about its middle. */
const CORNERS = Array.from(
  { length: 8 },
  (_, i) => new Vector3((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5),
);
/** How much of each step of a key: radians, and as a share of the distance. */
const TURN_RAD = Math.PI / 18;
const ZOOM = 0.85;

interface SiteModelOptions {
  readonly container: HTMLElement;
  readonly theme: "light" | "dark";
  /** Somebody pointed at a place of the site. */
  readonly onPick: (place: SitePlace) => void;
  /** Looks elsewhere: degrees clockwise from north that the view looks to. */
  readonly onTurn: (headingDeg: number) => void;
  /** The browser took the graphics card away. */
  readonly onLost: () => void;
}

/**
 * A survey in three dimensions. Drawn when something changes and not otherwise; nothing moves by itself, so people who
 * asked for less motion see the same. `close` gives back all that it holds.
 */
export class SiteModel {
  readonly #options: SiteModelOptions;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(VIEW_DEG, 1, 0.1, 1_000);
  readonly #controls: OrbitControls;
  readonly #line: Line<BufferGeometry, LineBasicMaterial>;
  readonly #marks: readonly HTMLElement[];
  readonly #resized: ResizeObserver;
  readonly #ends = new AbortController();
  #site: DrawnSite | undefined;
  #places: readonly (SitePlace | undefined)[] = [];
  #exaggeration = 1;
  #frame: number | undefined;
  #pressed: Vector2 | undefined;

  /** @throws Error where the browser gives no WebGL 2 */
  constructor(options: SiteModelOptions) {
    this.#options = options;
    const { container, theme } = options;
    this.#renderer = new WebGLRenderer({ antialias: true, powerPreference: "low-power" });
    const canvas = this.#renderer.domElement;
    canvas.setAttribute("aria-hidden", "true");
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#line = new Line(
      new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]),
      new LineBasicMaterial({ color: LINE, depthTest: false }),
    );
    this.#line.renderOrder = 1;
    this.#line.frustumCulled = false;
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(-1, 1.5, -1);
    this.#scene.add(new AmbientLight(0xffffff, 1.9), sun, this.#line);
    this.#marks = ["A", "B"].map((name) => markOf(name));
    container.replaceChildren(canvas, ...this.#marks);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.maxPolarAngle = MOST_TILT;
    this.#controls.addEventListener("change", () => this.#draw());
    this.setTheme(theme);

    const { signal } = this.#ends;
    canvas.addEventListener("webglcontextlost", () => options.onLost(), { signal });
    canvas.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.#release(event), { signal });
    this.#resized = new ResizeObserver(() => this.#fit());
    this.#resized.observe(container);
    this.#fit();
  }

  /**
   * Reads a file of the service and shows it from the south.
   * @throws Error for one that cannot be read
   */
  async show(glb: ArrayBuffer): Promise<SiteFacts> {
    const site = await readSite(glb);
    if (this.#ends.signal.aborted) {
      site.dispose();
      throw new Error("the view was closed while a file was read");
    }
    this.#site?.group.removeFromParent();
    this.#site?.dispose();
    this.#site = site;
    this.#scene.add(site.group);
    this.setExaggeration(this.#exaggeration);
    this.look("south");
    return site.facts;
  }

  /** Looks at all of the site from a side. */
  look(preset: Preset): void {
    const direction = new Vector3(...directionOf(preset));
    // From straight above "up" would be undefined: a hair to the south keeps north at the top.
    if (preset === "top") direction.z = 1e-4;
    direction.normalize();
    const target = this.#middle();
    this.#controls.target.copy(target);
    this.#camera.position.copy(target).addScaledVector(direction, this.#awayFrom(direction));
    this.#controls.update();
    this.#draw();
  }

  /** Turns the view by steps: to the left, and upwards. */
  turn(left: number, up: number): void {
    this.#controls.rotateLeft(left * TURN_RAD);
    this.#controls.rotateUp(up * TURN_RAD);
    this.#controls.update();
  }

  /** Comes closer by steps, below 0 goes away. */
  zoom(steps: number): void {
    const { target } = this.#controls;
    this.#camera.position
      .sub(target)
      .multiplyScalar(ZOOM ** steps)
      .add(target);
    this.#controls.update();
  }

  /** Draws heights so many times as large. What is measured stays as it is. */
  setExaggeration(factor: number): void {
    const before = this.#middle();
    this.#exaggeration = factor;
    if (this.#site === undefined) return;
    this.#site.group.scale.y = factor;
    // The site grows upwards: the camera goes along, so that its middle stays in the middle.
    const shift = this.#middle().sub(before);
    this.#controls.target.add(shift);
    this.#camera.position.add(shift);
    this.#controls.update();
    this.#draw();
  }

  setTheme(theme: "light" | "dark"): void {
    this.#scene.background = new Color(GROUNDS[theme]);
    this.#draw();
  }

  /** Marks the places that are measured between. */
  setPlaces(places: readonly (SitePlace | undefined)[]): void {
    this.#places = places;
    this.#draw();
  }

  /** The site at a place in plan, or `undefined` where it has no surface or point. */
  placeAt(eastM: number, northM: number): SitePlace | undefined {
    const from = new Vector3(eastM, this.#height() + 1, -northM);
    return this.#hit(new Raycaster(from, new Vector3(0, -1, 0)));
  }

  /** Gives back memory, listeners and the context of the graphics card. */
  close(): void {
    this.#ends.abort();
    this.#resized.disconnect();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#controls.dispose();
    this.#site?.dispose();
    disposeOf(this.#scene);
    this.#scene.clear();
    this.#site = undefined;
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.#options.container.replaceChildren();
  }

  #height(): number {
    return (this.#site?.facts.reliefM ?? 0) * this.#exaggeration;
  }

  #size(): Vector3 {
    const { widthM, depthM } = this.#site?.facts ?? { widthM: 1, depthM: 1 };
    return new Vector3(widthM, this.#height(), depthM);
  }

  #middle(): Vector3 {
    const { x, y, z } = this.#size();
    return new Vector3(x / 2, y / 2, -z / 2);
  }

  /** The least distance from the middle at which all corners of the site are seen. */
  #awayFrom(direction: Vector3): number {
    const size = this.#size();
    const right = new Vector3(0, 1, 0).cross(direction).normalize();
    const up = direction.clone().cross(right);
    const high = Math.tan(((VIEW_DEG / 2) * Math.PI) / 180);
    const wide = high * this.#camera.aspect;
    let away = 0;
    for (const corner of CORNERS) {
      const at = corner.clone().multiply(size);
      const [across, above] = [Math.abs(at.dot(right)), Math.abs(at.dot(up))];
      away = Math.max(away, at.dot(direction) + MARGIN * Math.max(across / wide, above / high));
    }
    return away;
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#options.container;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setSize(clientWidth, clientHeight);
    this.#camera.aspect = clientWidth / clientHeight;
    this.#draw();
  }

  #press(event: PointerEvent): void {
    this.#pressed = event.isPrimary && event.button === 0 ? atOf(event) : undefined;
  }

  #release(event: PointerEvent): void {
    const { clientWidth, clientHeight } = this.#options.container;
    const from = this.#pressed;
    this.#pressed = undefined;
    if (from === undefined || from.distanceTo(atOf(event)) > CLICK_PX) return;
    const ray = new Raycaster();
    // The last turn may not be drawn yet.
    this.#camera.updateMatrixWorld();
    const x = (event.offsetX / clientWidth) * 2 - 1;
    const y = 1 - (event.offsetY / clientHeight) * 2;
    ray.setFromCamera(new Vector2(x, y), this.#camera);
    const place = this.#hit(ray);
    if (place !== undefined) this.#options.onPick(place);
  }

  /** Where a ray meets the site first. */
  #hit(ray: Raycaster): SitePlace | undefined {
    const site = this.#site;
    if (site === undefined) return undefined;
    site.group.updateMatrixWorld();
    ray.params.Points.threshold = site.facts.spacingM ?? 0;
    const [first] = ray.intersectObjects([...site.parts], false);
    if (first === undefined) return undefined;
    const { index, object, point } = first;
    // A point itself, not the nearest place of the ray.
    const at =
      site.facts.kind === "points" && index !== undefined
        ? site.parts.find((part) => part === object)?.geometry.getAttribute("position")
        : undefined;
    const found =
      at === undefined || index === undefined
        ? point
        : object.localToWorld(new Vector3().fromBufferAttribute(at, index));
    return { eastM: found.x, northM: -found.z, upM: found.y / this.#exaggeration };
  }

  #draw(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const camera = this.#camera;
    const distance = camera.position.distanceTo(this.#controls.target);
    // The depth buffer has to hold what is seen, and no more.
    const size = this.#size().length();
    camera.near = Math.max(distance / 100, 0.01);
    camera.far = distance + 2 * size;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    const places = this.#places.map((place) => place && this.#worldOf(place));
    const [from, to] = places;
    this.#line.visible = from !== undefined && to !== undefined;
    if (from !== undefined && to !== undefined) this.#line.geometry.setFromPoints([from, to]);
    this.#renderer.render(this.#scene, camera);
    for (const [i, mark] of this.#marks.entries()) this.#put(mark, places[i]);
    this.#options.onTurn(headingOf(camera.position, this.#controls.target));
  }

  #worldOf({ eastM, northM, upM }: SitePlace): Vector3 {
    return new Vector3(eastM, upM * this.#exaggeration, -northM);
  }

  #put(mark: HTMLElement, at: Vector3 | undefined): void {
    const ahead = new Plane().setFromNormalAndCoplanarPoint(
      this.#camera.getWorldDirection(new Vector3()),
      this.#camera.position,
    );
    mark.hidden = at === undefined || ahead.distanceToPoint(at) <= 0;
    if (at === undefined) return;
    const { x, y } = at.clone().project(this.#camera);
    mark.style.left = `${((x + 1) / 2) * 100}%`;
    mark.style.top = `${((1 - y) / 2) * 100}%`;
  }
}

const atOf = ({ clientX, clientY }: PointerEvent): Vector2 => new Vector2(clientX, clientY);

const headingOf = (from: Vector3, to: Vector3): number =>
  ((Math.atan2(to.x - from.x, from.z - to.z) * 180) / Math.PI + 360) % 360;

function markOf(name: string): HTMLElement {
  const mark = document.createElement("span");
  mark.className = "model-mark";
  mark.textContent = name;
  mark.hidden = true;
  mark.setAttribute("aria-hidden", "true");
  return mark;
}
