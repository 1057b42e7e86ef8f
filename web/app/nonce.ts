/** The nonce of the page, for style sheets that scripts add. Browsers hide the attribute, but not the property. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce;
