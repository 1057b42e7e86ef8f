import { fileURLToPath } from 'node:url';

/** A folder with few endpoints. A service with them starts in half the time. */
export const FEW_ENDPOINTS = fileURLToPath(new URL('../../../endpoints/collections', import.meta.url));
