import { createOwnFolder } from '../../engine/databases/own-folder.js';

// Creates an own folder and runs until it is killed. The process id is set to 1, because in containers that share a folder, several
// processes have this id.
Object.defineProperty(process, 'pid', { value: 1 });
const [parent = '', kind = ''] = process.argv.slice(2);
console.log((await createOwnFolder(parent, kind)).path);
process.stdin.resume();
