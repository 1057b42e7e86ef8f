import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the warehouse's SQL and data files; compiled code lives one folder deeper, in `dist/`. */
export const WAREHOUSE_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../warehouse');
