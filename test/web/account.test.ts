import { accounts } from './accounts.js';
import { useConsoleService } from './console-service.js';

describe('the account in the console', () => {
  accounts(useConsoleService(), '');
});
