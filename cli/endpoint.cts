#!/usr/bin/env node
process.argv.splice(2, 0, 'endpoint');
require('./repo-insight.cjs');
