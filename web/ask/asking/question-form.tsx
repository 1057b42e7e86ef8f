import { type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { SignInNotice } from '../../account/sign-in-notice.js';
import { useSession } from '../../account/use-session.js';
import { MAX_QUESTION_LENGTH } from '../../api/questions.js';
import { Button } from '../../parts/layout/button.js';
import styles from '../style/ask.module.css';
import { AskFailure } from './ask-failure.js';
import { DefinitionMatches } from './definition-matches.js';
import { useAsk } from './use-ask.js';

export interface QuestionFormHandle {
  /** Writes a question into the text box. The first `{name}` is selected, so that the user can replace it by a value. */
  fill(text: string): void;
}

export interface QuestionFormProps {
  readonly label: string;
  readonly initialText?: string;
  readonly ref?: Ref<QuestionFormHandle>;
}

/** The text box for a question. While the user writes, it lists the endpoints that answer such questions; these need no account. */
export function QuestionForm({ label, initialText = '', ref }: QuestionFormProps) {
  const [id, countId] = [useId(), useId()];
  const box = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initialText);
  const { state } = useSession();
  const ask = useAsk();
  const length = [...text].length;
  const canAsk = state === 'signed-in' && text.trim() !== '' && length <= MAX_QUESTION_LENGTH && !ask.isPending;
  const submit = () => canAsk && ask.mutate({ text });
  useImperativeHandle(ref, () => ({
    fill: (question) => {
      const [first = ''] = /\{[^}]*\}(\/\{[^}]*\})?/.exec(question) ?? [];
      setText(question);
      // The text box contains the new text only after the next render.
      requestAnimationFrame(() => selectIn(box.current, question.indexOf(first), first.length));
    },
  }));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        ref={box}
        rows={3}
        value={text}
        aria-describedby={countId}
        aria-invalid={length > MAX_QUESTION_LENGTH}
        placeholder="Which repositories are trending this week?"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className={styles.formBar}>
        <span id={countId} className={styles.count} data-over={length > MAX_QUESTION_LENGTH}>
          {length} / {MAX_QUESTION_LENGTH}
          {length > MAX_QUESTION_LENGTH && ' · too long'}
        </span>
        <Button type="submit" variant="primary" disabled={!canAsk}>
          {ask.isPending ? 'Asking…' : 'Ask'}
        </Button>
      </div>
      <SignInNotice state={state} purpose="ask a question" />
      {ask.error !== null && <AskFailure error={ask.error} />}
      <DefinitionMatches question={text} />
    </form>
  );
}

function selectIn(box: HTMLTextAreaElement | null, start: number, length: number): void {
  box?.focus();
  if (length > 0) box?.setSelectionRange(start, start + length);
}
