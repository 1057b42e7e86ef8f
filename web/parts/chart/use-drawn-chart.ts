import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ChartRequest, ChartTexts } from './thread/chart-messages.js';
import { openChart, type ThreadChart } from './thread/chart-thread.js';

export interface DrawnState {
  /** The element that shows the picture. */
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  /** The texts for the picture. Absent until the first picture is shown. */
  readonly texts: ChartTexts | undefined;
  /** Whether the picture for the current request is not shown yet. */
  readonly isBusy: boolean;
  readonly error: Error | undefined;
}

/** Draws a chart in a canvas, and redraws it when `request` is a different object. */
export function useDrawnChart(request: ChartRequest | undefined): DrawnState {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<ThreadChart>(undefined);
  const sent = useRef<ChartRequest>(undefined);
  const [shown, setShown] = useState<{ readonly texts: ChartTexts; readonly request: ChartRequest | undefined }>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const context = element.getContext('bitmaprenderer');
    const opened = openChart({
      onPicture: (picture, texts) => {
        context?.transferFromImageBitmap(picture);
        if (texts === undefined) return;
        setShown({ texts, request: sent.current });
        setError(undefined);
      },
      onFailure: setError,
    });
    chart.current = opened;
    const stop = followPointer(element, opened);
    return () => {
      stop();
      opened.close();
    };
  }, []);
  useEffect(() => {
    if (request === undefined) return;
    sent.current = request;
    chart.current?.draw(request);
  }, [request]);
  return { canvas, texts: shown?.texts, isBusy: error === undefined && shown?.request !== request, error };
}

/** Sends the position of the pointer to the chart, at most once per frame, for tooltips. */
function followPointer(element: HTMLElement, chart: ThreadChart): () => void {
  let frame: number | undefined;
  const cancel = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const move = ({ offsetX, offsetY }: PointerEvent) => {
    cancel();
    frame = requestAnimationFrame(() => chart.point(offsetX, offsetY));
  };
  const leave = () => {
    cancel();
    chart.leave();
  };
  // After a touch, the tooltip stays until the reader touches something else.
  const leaveUnlessTouch = ({ pointerType }: PointerEvent) => pointerType !== 'touch' && leave();
  const leaveElsewhere = ({ target }: Event) => target !== element && leave();
  const listeners = { pointermove: move, pointerdown: move, pointerleave: leaveUnlessTouch } as const;
  for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener as EventListener);
  document.addEventListener('pointerdown', leaveElsewhere);
  return () => {
    cancel();
    document.removeEventListener('pointerdown', leaveElsewhere);
    for (const [name, listener] of Object.entries(listeners))
      element.removeEventListener(name, listener as EventListener);
  };
}
