import { describeEmbedded } from '../services/server.js';
import { compareDatabases } from './compare-databases.js';
import { LIBRARY } from './library.js';
import { PAYROLL } from './payroll.js';
import { SENSORS } from './sensors.js';
import { SHOP } from './shop.js';
import { testApiFolder } from './test-api-folder.js';

// `test/soak/schemas.test.ts` compares the same definitions with more rows.
for (const schema of [SHOP, LIBRARY, SENSORS, PAYROLL]) {
  describeEmbedded(`the embedded database and MariaDB, with the sample database "${schema.name}"`, () => {
    compareDatabases(schema, 1);
  });
}

describeEmbedded('an API over the sample database "library"', () => {
  testApiFolder(LIBRARY);
});
