import { readdirSync, readFileSync } from 'node:fs';

/** Returns the nice values of all threads of a process. Linux only. */
export function threadPriorities(pid: number | undefined): number[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) => {
    // The second field is the name in parentheses, which can contain spaces. The nice value is the 19th field.
    const [, fields = ''] = readFileSync(`${folder}/${thread}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    return Number(fields.split(' ')[16]);
  });
}
