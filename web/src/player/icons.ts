/** Icons of the player, drawn in a square of 20. */

const PATHS = {
  play: '<path d="M6.2 3.9v12.2a.7.7 0 0 0 1.07.6l9.5-6.1a.7.7 0 0 0 0-1.2l-9.5-6.1a.7.7 0 0 0-1.07.6z" fill="currentColor" stroke="none"/>',
  pause: '<rect x="5" y="4" width="3.6" height="12" rx="1" fill="currentColor" stroke="none"/><rect x="11.4" y="4" width="3.6" height="12" rx="1" fill="currentColor" stroke="none"/>',
  loop: '<path d="M4 10V8.5A2.5 2.5 0 0 1 6.5 6H15m0 0-2.5-2.5M15 6l-2.5 2.5M16 10v1.5a2.5 2.5 0 0 1-2.5 2.5H5m0 0 2.5-2.5M5 14l2.5 2.5"/>',
  follow: '<circle cx="10" cy="10" r="2.2"/><path d="M3.5 7V5.2c0-.9.8-1.7 1.7-1.7H7M13 3.5h1.8c.9 0 1.7.8 1.7 1.7V7M16.5 13v1.8c0 .9-.8 1.7-1.7 1.7H13M7 16.5H5.2c-.9 0-1.7-.8-1.7-1.7V13"/>',
  mannequin: '<circle cx="10" cy="4.3" r="2"/><path d="M7.3 8h5.4l-.6 4.5h-.6l-.4 5H8.9l-.4-5h-.6z"/>',
  stick: '<circle cx="10" cy="4" r="1.5"/><path d="M10 5.5v6M5.5 8.5 10 7l4.5 1.5M10 11.5 7 17M10 11.5l3 5.5"/>',
  light: '<circle cx="10" cy="10" r="3"/><path d="M10 2.8v1.7M10 15.5v1.7M17.2 10h-1.7M4.5 10H2.8M15.1 4.9l-1.2 1.2M6.1 13.9l-1.2 1.2M15.1 15.1l-1.2-1.2M6.1 6.1 4.9 4.9"/>',
  dark: '<path d="M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z"/>',
  help: '<path d="M7.6 7.5a2.5 2.5 0 1 1 3.8 2.1c-.9.6-1.4 1.1-1.4 2.1"/><circle cx="10" cy="14.6" r=".6" fill="currentColor"/>',
} as const;

export type IconName = keyof typeof PATHS;

/** The icon as markup. */
export function icon(name: IconName): string {
  return `<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${PATHS[name]}</svg>`;
}
