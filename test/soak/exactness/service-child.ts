import { type ServedRequest, type State, startServed } from '../../cache/exactness/served.js';

export type ChildReply = { readonly url: string } | { readonly id: number; readonly result: State | null };

const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>;
const served = await startServed(Date.now, settings, Number(process.argv[3]));

process.on('message', ({ id, request }: { readonly id: number; readonly request: ServedRequest }) => {
  served.ask(request).then(
    (result) => process.send?.({ id, result } satisfies ChildReply),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: served.url } satisfies ChildReply);
