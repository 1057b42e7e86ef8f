import { describeEventWorlds } from './event-worlds.js';

describeEventWorlds(2, 1);
