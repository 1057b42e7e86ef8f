import { readdirSync, readFileSync } from 'node:fs';

/** The nice values of all threads of a process. Linux only. */
export function threadPriorities(pid: number | undefined): number[] {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).map((thread) => {
    // The name, in parentheses, can contain spaces. The fields after it begin with the third one; the nice value is the 19th.
    const [, fields = ''] = readFileSync(`${folder}/${thread}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    return Number(fields.split(' ')[16]);
  });
}
