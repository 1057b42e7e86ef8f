/** Escapes text for HTML. Control characters, which HTML does not allow, are removed. */
export function escapeHtml(text: string): string {
  return text.replace(CONTROL, '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
