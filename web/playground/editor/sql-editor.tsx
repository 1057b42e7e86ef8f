import { diagnosticCount, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import styles from '../playground.module.css';
import { type EditorParts, editorExtensions } from './editor-extensions.js';
import type { SqlFault } from './sql-faults.js';
import '../../parts/sql/sql-colors.css';

/** The functions with which the page controls the editor. */
export interface EditorHandle {
  /** Replaces the text. The change can be undone. */
  replace(text: string): void;
  /** Inserts text at the cursor, and moves the focus to the editor. */
  insert(text: string): void;
  /** Moves the cursor to a fault. */
  reveal(fault: SqlFault): void;
}

export interface SqlEditorProps extends EditorParts {
  readonly initialText: string;
  /** The faults of the text; they disappear at the next change. */
  readonly faults: readonly SqlFault[];
  readonly ref?: Ref<EditorHandle>;
}

/** The SQL editor. It is loaded on demand. Functions in the properties must stay the same between renders. */
export default function SqlEditor({ initialText, faults, ref, ...parts }: SqlEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(null);
  const first = useRef({ initialText, parts });
  useEffect(() => {
    const { initialText: doc, parts: given } = first.current;
    const view = new EditorView({
      state: EditorState.create({ doc, extensions: [editorExtensions(given), forgetFaults] }),
      ...(place.current !== null && { parent: place.current }),
    });
    editor.current = view;
    return () => view.destroy();
  }, []);
  useEffect(() => {
    const view = editor.current;
    if (view !== null)
      view.dispatch(
        setDiagnostics(
          view.state,
          faults.map((fault) => toDiagnostic(fault, view.state)),
        ),
      );
  }, [faults]);
  useImperativeHandle(ref, () => ({
    replace: (insert) => {
      const view = editor.current;
      view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, scrollIntoView: true });
    },
    insert: (text) => {
      editor.current?.dispatch(editor.current.state.replaceSelection(text));
      editor.current?.focus();
    },
    reveal: ({ position = 0 }) => {
      const view = editor.current;
      view?.dispatch({ selection: { anchor: Math.min(position, view.state.doc.length) }, scrollIntoView: true });
      view?.focus();
    },
  }));
  return <div ref={place} className={styles.editor} />;
}

/** After a change of the text, the position of a fault is wrong. */
const forgetFaults = EditorView.updateListener.of(({ docChanged, state, view }) => {
  if (docChanged && diagnosticCount(state) > 0) queueMicrotask(() => view.dispatch(setDiagnostics(view.state, [])));
});

function toDiagnostic({ position = 0, reason }: SqlFault, { doc }: EditorState) {
  const from = Math.min(position, doc.length);
  const word = /^\w+|^./.exec(doc.sliceString(from, from + 80))?.[0] ?? '';
  // A fault at the end of the text marks the last character.
  return {
    from: word === '' ? Math.max(0, from - 1) : from,
    to: from + word.length,
    severity: 'error',
    message: reason,
  } as const;
}
