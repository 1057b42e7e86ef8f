import { describeIssueWorlds } from './issue-worlds.js';

describeIssueWorlds(3, 1);
