import { describeTrackingWorlds } from '../github/tracking-worlds.js';
import { seedOf } from './report.js';

describeTrackingWorlds(80, seedOf('star histories'));
