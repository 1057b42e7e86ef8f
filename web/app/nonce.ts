/** The nonce of the page, for style sheets that scripts add. Browsers hide the value of the attribute, but not of the property. */
export const STYLE_NONCE = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce;
