/** Replaces the clock of this process by one that differs from the real clock by an offset. Timers are not affected. */
export function shiftClock(): (offsetMs: number) => void {
  let offset = 0;
  const RealDate = Date;
  const now = () => RealDate.now() + offset;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  return (offsetMs) => {
    offset = offsetMs;
  };
}
