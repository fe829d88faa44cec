/** The renderer, with what the machine can do without being slow. */
import { WebGLRenderer } from "three";

// how drivers that draw on the processor call themselves
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/**
 * A renderer on a canvas of its own. software: the browser draws without a graphics card; such a renderer, like a plain
 * one, has rough edges unless smooth ones are asked for, since they take most of the time of a picture there.
 */
export function makeRenderer(plain: boolean | null): { renderer: WebGLRenderer; software: boolean } {
  const software = plain === null && isSoftware();
  const antialias = !(plain ?? software);
  return { renderer: new WebGLRenderer({ antialias, powerPreference: "high-performance", stencil: false }), software };
}

/** Whether the browser draws without a graphics card: asked of a context that is given back at once. */
function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2", { antialias: false, depth: false });
  if (!context) return false;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}
