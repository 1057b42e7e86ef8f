import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MySQL } from '@codemirror/lang-sql';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { STYLE_NONCE } from '../../app/nonce.js';
import { tableCompletions } from './completion.js';
import { replaceSelection } from './replace-selection.js';
import type { KnownTable } from './tables.js';

export interface EditorParts {
  readonly tables: () => readonly KnownTable[];
  readonly onRun: () => void;
  readonly onChange: (text: string) => void;
  /** The id of the element that explains the keyboard shortcuts. */
  readonly hintId: string;
}

/** The extensions of the SQL editor. Tab is not bound, so that it moves the focus out of the editor. */
export function editorExtensions({ tables, onRun, onChange, hintId }: EditorParts): Extension {
  const run = () => {
    onRun();
    return true;
  };
  return [
    STYLE_NONCE === undefined ? [] : EditorView.cspNonce.of(STYLE_NONCE),
    lineNumbers(),
    lintGutter(),
    highlightSpecialChars(),
    history(),
    replaceSelection,
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    autocompletion({ icons: false }),
    MySQL.language,
    MySQL.language.data.of({ autocomplete: tableCompletions(tables) }),
    syntaxHighlighting(classHighlighter),
    placeholder('SELECT …'),
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'SQL', 'aria-describedby': hintId }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    THEME,
  ];
}

/** Uses the colors of the page, so that they follow the theme. */
const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '0.9rem', height: '100%' },
  // No outline here, because the box around the editor shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.5' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--text-soft)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 30%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--text-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    maxWidth: 'min(30rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.2rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { marginLeft: '0.75rem', fontStyle: 'normal', opacity: '0.8' },
  '.cm-tooltip.cm-completionInfo': { padding: '0.5rem 0.75rem', fontFamily: 'var(--font)' },
  '.cm-diagnostic': { padding: '0.4rem 0.75rem', borderLeft: '4px solid var(--danger)', whiteSpace: 'pre-wrap' },
});
