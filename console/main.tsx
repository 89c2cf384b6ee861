import "./early.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { followPreferences } from "./state/preferences.ts";
import "./theme/tokens.css";
import "./theme/layout.css";
import "./theme/parts.css";
import "./theme/equipment.css";
import "./theme/forms.css";
import "./theme/print.css";
import "./theme/forced-colors.css";

followPreferences();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
