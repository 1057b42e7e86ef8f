#!/usr/bin/env node
import { main } from './main.js';

await main(['endpoint', ...process.argv.slice(2)]);
