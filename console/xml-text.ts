/** Escapes markup, and removes characters that are invalid in XML. */
export function escapeXml(text: string): string {
  return withoutInvalid(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Removes characters that are invalid in XML. */
export function withoutInvalid(text: string): string {
  return text.replaceAll(NOT_XML, '');
}

const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
