import { describeEventWorlds } from '../github/event-worlds.js';
import { describeIssueWorlds } from '../github/issue-worlds.js';
import { describeTrackingWorlds } from '../github/tracking-worlds.js';
import { seedOf } from './report.js';

describeTrackingWorlds(80, seedOf('star histories'));
describeIssueWorlds(60, seedOf('issue lists'));
describeEventWorlds(25, seedOf('feeds of events'));
