import { compareDatabases } from '../schemas/compare-databases.js';
import { LIBRARY } from '../schemas/library.js';
import { PAYROLL } from '../schemas/payroll.js';
import { SENSORS } from '../schemas/sensors.js';
import { SHOP } from '../schemas/shop.js';
import { testApiFolder } from '../schemas/test-api-folder.js';
import { describeEmbedded } from '../services/server.js';

/** The largest tables have 100,000 rows, loans 60,000 and orders 40,000. */
const SIZE = 100;

for (const schema of [SHOP, LIBRARY, SENSORS, PAYROLL]) {
  describeEmbedded(`the embedded database and MariaDB, with ${SIZE} times the sample database "${schema.name}"`, () => {
    compareDatabases(schema, SIZE);
  });
  describeEmbedded(`an API over the sample database "${schema.name}"`, () => {
    testApiFolder(schema, { withDefinitions: true });
  });
}
