/** The URL of the root of the service, which ends with a slash. A proxy can serve the console under any path. */
export const ROOT_URL = new URL('.', document.baseURI);

/** The path of the root, without a trailing slash. Empty if the console is at the root of its host. */
export const ROOT_PATH = ROOT_URL.pathname.replace(/\/$/, '');
