/** The script of the page with the graph: shows the picture, moves and scales it, and tells which node was clicked. */

interface Message {
  readonly workflow: string;
  readonly svg?: string;
  readonly problem?: string;
}

interface Host {
  postMessage(message: { node?: string }): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const picture = element("picture");
const problem = element("problem");

/** How the picture lies on the page. */
let view = { x: 0, y: 0, scale: 1 };
let shown = "";

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

function svg(): SVGSVGElement | null {
  return picture.querySelector("svg");
}

function place(): void {
  const drawn = svg();
  if (drawn !== null) {
    drawn.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  }
}

/** Shows all of it, no larger than it was drawn. */
function fit(): void {
  const drawn = svg();
  if (drawn === null) {
    return;
  }
  const { width, height } = drawn.viewBox.baseVal;
  const [room, tall] = [picture.clientWidth, picture.clientHeight];
  const scale = Math.min(1.25, (room - 24) / width, (tall - 24) / height);
  view = { scale, x: (room - width * scale) / 2, y: Math.max(12, (tall - height * scale) / 2) };
  place();
}

/** Scales around a point of the page, which stays where it is. */
function zoom(factor: number, x = picture.clientWidth / 2, y = picture.clientHeight / 2): void {
  const scale = Math.min(8, Math.max(0.05, view.scale * factor));
  const grown = scale / view.scale;
  view = { scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown };
  place();
}

/** The picture heeds the colours of the system; here those of the editor count. */
function themed(text: string): string {
  const dark = /vscode-dark|vscode-high-contrast(?!-light)/.test(document.body.className);
  return text.replace("@media (prefers-color-scheme: dark)", `@media ${dark ? "all" : "not all"}`);
}

let latest: Message | undefined;

function show(message: Message): void {
  latest = message.svg === undefined ? latest : message;
  problem.textContent = message.problem ?? "";
  picture.classList.toggle("old", message.problem !== undefined);
  if (message.svg === undefined) {
    if (message.workflow !== shown) {
      picture.replaceChildren();
    }
    return;
  }
  const parsed = new DOMParser().parseFromString(themed(message.svg), "image/svg+xml").documentElement;
  picture.replaceChildren(document.importNode(parsed, true));
  if (message.workflow === shown) {
    place();
  } else {
    fit();
  }
  shown = message.workflow;
}

/** The name of a node stands in its title: `ask: triage`. */
function nameOf(target: EventTarget | null): string | undefined {
  const node = target instanceof Element ? target.closest(".node") : null;
  const title = node?.querySelector("title")?.textContent;
  return /^[a-z]+: ([A-Za-z_]\w*)/.exec(title ?? "")?.[1];
}

window.addEventListener("message", (event: MessageEvent<Message>) => {
  show(event.data);
});
new MutationObserver(() => {
  if (latest !== undefined && svg() !== null) {
    show({ ...latest, ...(problem.textContent === "" ? {} : { problem: problem.textContent }) });
  }
}).observe(document.body, { attributes: true, attributeFilter: ["class"] });

picture.addEventListener("click", (event) => {
  const node = nameOf(event.target);
  if (node !== undefined) {
    host.postMessage({ node });
  }
});
picture.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    } else {
      view = { ...view, x: view.x - event.deltaX, y: view.y - event.deltaY };
      place();
    }
  },
  { passive: false },
);
picture.addEventListener("pointermove", (event) => {
  const held = (event.buttons & 1) === 1;
  picture.classList.toggle("moved", held);
  if (held) {
    view = { ...view, x: view.x + event.movementX, y: view.y + event.movementY };
    place();
  }
});
element("in").addEventListener("click", () => {
  zoom(1.25);
});
element("out").addEventListener("click", () => {
  zoom(0.8);
});
element("fit").addEventListener("click", fit);
host.postMessage({});
