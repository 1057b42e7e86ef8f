/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export function sqlTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
