import { demoWarehouse } from '../parity/demo-warehouse.js';
import { useMysql } from '../services/mysql.js';
import { SERVER } from '../services/server.js';
import { testDemo } from './test-demo.js';

// `oracle.test.ts` tests the properties on the embedded database, and `test/soak/oracle.test.ts` tests the demo there.
testDemo(
  (title, suite) =>
    describe(`${title}, on ${SERVER}`, () => {
      const server = useMysql();
      suite(() => demoWarehouse(server.url));
    }),
  (make) => make(),
);
