import { Component, type ReactNode } from 'react';
import { text } from '../text.ts';
import { Button, Empty } from './parts.tsx';

/** Shows, in the place of what fails while it is rendered or loaded, a way to go on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <Empty title={text.common.failed} help={text.common.failedHelp}>
          <Button kind="primary" onClick={() => location.reload()}>
            {text.common.reload}
          </Button>
        </Empty>
      </div>
    );
  }
}
