/** Parse an SVG image that the server has drawn. The document is only parsed, so no script in it runs. */
export function parseSvg(text: string, label: string): Node {
  const image = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  image.setAttribute("role", "img");
  image.setAttribute("aria-label", label);
  return image;
}
