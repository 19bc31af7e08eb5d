//! The language server in an editor: Neovim without a window, in which a script types.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Folder;

/// The script for the editor. It always ends Neovim, and writes what it observed to a file.
const SCRIPT: &str = r#"
local program, folder = vim.env.WALLCRAWLER_PROGRAM, vim.env.WALLCRAWLER_FOLDER
local seen = {}

local function type_keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "xt", false)
end

local function wait(what, condition)
  if not vim.wait(30000, condition, 20) then error("waited for " .. what) end
end

local function diagnostics()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do
    found[#found + 1] = { line = d.lnum + 1, column = d.col + 1, rule = d.code or d.user_data.lsp.code, message = d.message }
  end
  return found
end

local function ask(method)
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  for _, answer in pairs(answers or {}) do return answer.result end
end

local function work()
  vim.cmd("cd " .. vim.fn.fnameescape(folder))
  vim.cmd("edit hall.des")
  local start = vim.lsp.start_client or vim.lsp.start
  local client = start({ name = "wallcrawler", cmd = { program, "vault", "lsp" }, root_dir = folder })
  vim.lsp.buf_attach_client(0, client)
  wait("the server", function() return vim.lsp.buf_get_clients(0)[client] ~= nil end)

  -- A map with a misspelt feature is typed in; the error goes when it is corrected.
  type_keys("iNAME: hall<CR>DEPTH: D:3<CR>KFEAT: A = granit_statue<CR>SUBVAULT: B : small_garden<CR>"
    .. "MAP<CR>xAB<CR>x.@<CR>ENDMAP<Esc>")
  wait("the error", function() return #diagnostics() == 1 end)
  seen.found = diagnostics()
  type_keys("3Gfg5lae<Esc>")
  wait("no error", function() return #diagnostics() == 0 end)
  seen.line = vim.fn.getline(3)

  seen.hover = ask("textDocument/hover").contents.value
  type_keys("4G$")
  local places = ask("textDocument/definition")
  seen.definition = { vim.fn.fnamemodify(vim.uri_to_fname(places[1].uri), ":t"), places[1].range.start.line + 1 }
  vim.lsp.buf.definition()
  wait("the garden", function() return vim.fn.expand("%:t") == "garden.des" end)
  seen.jumped = { vim.fn.expand("%:t"), vim.fn.line(".") }
  vim.cmd("buffer hall.des")

  type_keys("3GoKFEAT: C = altar_xo")
  vim.api.nvim_win_set_cursor(0, { 4, #vim.fn.getline(4) })
  seen.completions = {}
  for _, item in ipairs(ask("textDocument/completion")) do
    if item.label:find("^altar_xo") then seen.completions[#seen.completions + 1] = item.label end
  end
  vim.cmd("normal! 4Gdd")

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ async = false })
  else
    vim.lsp.buf.formatting_sync(nil, 10000)
  end
  seen.formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

local ok, why = pcall(work)
if not ok then seen.failed = tostring(why) end
vim.fn.writefile({ vim.fn.json_encode(seen) }, folder .. "/seen.json")
vim.cmd("qall!")
"#;

#[test]
fn an_editor_shows_errors_while_they_are_typed() {
    let version = Command::new("nvim").arg("--version").stdin(Stdio::null()).output();
    if version.is_err() {
        use std::io::Write as _;
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED the language server in an editor: install Neovim"
        );
        return;
    }
    let folder = Folder::empty();
    folder.put(
        "garden.des",
        "# a garden\nNAME: garden\nTAGS: small_garden\nMAP\ntt.\nENDMAP\n",
    );
    folder.put("script.lua", SCRIPT);
    let mut editor = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c"])
        .arg(format!("luafile {}", folder.path("script.lua")))
        .env("WALLCRAWLER_PROGRAM", env!("CARGO_BIN_EXE_wallcrawler"))
        .env("WALLCRAWLER_FOLDER", folder.path("").trim_end_matches('/'))
        .env("XDG_STATE_HOME", folder.path("state"))
        .env("XDG_CACHE_HOME", folder.path("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("Neovim");
    let deadline = Instant::now() + Duration::from_mins(2);
    let status = loop {
        if let Some(status) = editor.try_wait().expect("its status") {
            break status;
        }
        if Instant::now() > deadline {
            let _ = editor.kill();
            panic!("Neovim does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
    let seen: Value = serde_json::from_str(&folder.text("seen.json")).expect("JSON");
    assert_eq!(seen["failed"], Value::Null, "{seen}");
    let found = &seen["found"][0];
    assert_eq!((&found["line"], &found["column"]), (&3.into(), &12.into()), "{seen}");
    assert!(found["message"].to_string().contains("granite_statue"), "{seen}");
    assert_eq!(seen["line"], "KFEAT: A = granite_statue");
    assert!(seen["hover"].to_string().contains("a feature"), "{seen}");
    assert_eq!(seen["definition"], serde_json::json!(["garden.des", 2]), "{seen}");
    assert_eq!(seen["jumped"], seen["definition"]);
    assert_eq!(seen["completions"], serde_json::json!(["altar_xom"]), "{seen}");
    assert_eq!(seen["formatted"][1], "DEPTH:    D:3", "{seen}");
}
