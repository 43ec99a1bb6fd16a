//! What `weave gen --scaffold` writes once, and what it says afterwards.
#![allow(clippy::unwrap_used)]

mod common;

use common::Project;

const SHOP: &str = "/// Puts things aside.\ntool reserve(sku: string) -> int\n";
const MORE: &str = "tool reserve(sku: string) -> int\n/// Lets things go.\ntool free(ticket: string)\n";

/// For each language: the arguments, the skeleton of the file, what stands in it, the server, and what a new tool is there.
const LANGUAGES: [(&[&str], &str, &str, &str, &str); 3] = [
    (
        &["gen", "go", "flows", "-o", "app/gen", "--scaffold"],
        "app/service/shop.go",
        "func (s *ShopService) Reserve(",
        "app/service/main.go",
        "// Lets things go.\nfunc (s *ShopService) Free(ctx context.Context, in shop.FreeInput) error {\n\treturn weave.Unimplemented(\"free\")\n}\n",
    ),
    (
        &["gen", "typescript", "flows", "-o", "app/gen", "--scaffold"],
        "app/service/shop.ts",
        "  reserve: () => {",
        "app/service/handler.ts",
        "  /** Lets things go. */\n  free: () => {\n    throw new Error(\"the tool free is not implemented\");\n  },\n",
    ),
    (
        &["gen", "python", "flows", "-o", "app/gen", "--scaffold"],
        "app/service/shop.py",
        "    async def reserve(",
        "app/service/server.py",
        "        \"\"\"Lets things go.\"\"\"\n        raise NotImplementedError(\"the tool free is not implemented\")\n",
    ),
];

fn project() -> Project {
    Project::new(&[("flows/shop.weave", SHOP), ("app/go.mod", "module example.com/app\n")])
}

#[test]
fn a_skeleton_is_written_once_and_never_again() {
    for (arguments, file, method, server, new) in LANGUAGES {
        let project = project();
        project.run(arguments).exits(0).says("written");
        let text = project.read(file);
        assert!(text.contains(method) && text.contains("Puts things aside."), "{text}");
        assert!(project.path(server).exists());
        let owned = project.list("app/gen").into_iter().find(|name| name.starts_with(".weave-")).unwrap();
        assert!(!project.read(&format!("app/gen/{owned}")).contains("service/"), "a skeleton is nothing that is generated");
        // Whoever has filled it in keeps what is there, and is told what is new.
        let mine = text.replace("Puts things aside.", "Mine.");
        project.write(file, &mine);
        let said = project.run(arguments).exits(0).says("not changed");
        assert_eq!(said.stdout, "");
        project.write("flows/shop.weave", MORE);
        let said = project.run(arguments).exits(0).says("which `shop.");
        assert!(said.stdout.contains(new) && !said.stdout.contains("eserve"), "{said:#?}");
        assert_eq!(project.read(file), mine);
        // A check looks at generated files alone.
        let check: Vec<&str> = arguments.iter().copied().chain(["--check"]).collect();
        std::fs::remove_file(project.path(file)).unwrap();
        project.run(&check).exits(0).says("up to date");
        assert!(!project.path(file).exists());
    }
}

#[test]
fn another_file_makes_the_server_incomplete() {
    for (arguments, file, _, server, _) in LANGUAGES {
        let project = project();
        project.run(arguments).exits(0);
        let text = project.read(server);
        project.write("flows/desk.weave", "tool ask(x: string) -> string\n");
        let said = project.run(arguments).exits(0).says("1 skeleton written").says(&format!("`{server}` lacks"));
        assert!(said.stdout.contains("all_tools(DeskService())") || said.stdout.to_lowercase().contains("alltools("), "{said:#?}");
        assert_eq!(project.read(server), text);
        assert!(project.path(&file.replace("shop", "desk")).exists());
    }
}

#[test]
fn an_implementation_may_lie_in_another_file() {
    for (arguments, file, method, _, _) in LANGUAGES {
        let project = project();
        project.run(arguments).exits(0);
        let moved = file.replace("shop", "mine");
        project.write(&moved, project.read(file));
        std::fs::remove_file(project.path(file)).unwrap();
        let said = project.run(arguments).exits(0).says("not changed");
        assert_eq!((said.stdout.as_str(), project.path(file).exists()), ("", false));
        // A method in a comment is none.
        let commented = project.read(&moved).replace(method, &format!("// {}", method.trim_start())).replace("    // async", "    # async");
        project.write(&moved, commented);
        let said = project.run(arguments).exits(0).says("lacks");
        assert!(said.stdout.contains(method.trim()), "{said:#?}");
    }
}

#[test]
fn the_folder_may_be_named() {
    let project = project();
    project.write("weave.toml", "[gen.typescript]\noutput = \"src/gen\"\nscaffold = \"src/app/tools\"\n");
    project.run(&["gen", "ts", "flows", "--scaffold"]).exits(0).says("`src/app/tools`");
    assert!(project.read("src/app/tools/shop.ts").contains("from \"../../gen/shop/tools.js\""));
    project.run(&["gen", "ts", "flows", "--scaffold=other"]).exits(0).says("`other`");
    assert!(project.read("other/handler.ts").contains("from \"../src/gen/_weave/index.js\""));
    project.run(&["gen", "ts", "flows", "--scaffold=src/gen/mine"]).exits(2).says("is for generated files");
    assert!(!project.path("src/gen/mine").exists());
    project.write("weave.toml", "");
    project.run(&["gen", "ts", "flows", "-o", ".", "--scaffold"]).exits(2).says("no folder is set for the skeletons");
    assert!(!project.path("shop").exists());
    project.write("weave.toml", "[gen.typescript]\nscaffold = 1\n");
    project.run(&["gen", "ts", "flows", "-o", "out"]).exits(1).says("a quoted folder path");
}

#[test]
fn a_skeleton_belongs_to_the_package_that_lies_there() {
    let project = project();
    project.write("app/service/own.go", "package tools\n");
    project.run(LANGUAGES[0].0).exits(0);
    assert!(project.read("app/service/shop.go").starts_with("package tools\n"));
    assert!(!project.path("app/service/main.go").exists());
    // Packages of Python are those above, as far as they say so.
    project.write("src/app/__init__.py", "");
    project.run(&["gen", "python", "flows", "-o", "src/app/gen", "--scaffold"]).exits(0);
    assert!(project.read("src/app/service/shop.py").contains("from app.gen.shop import types as shop_types"));
    assert!(project.read("src/app/service/server.py").contains("`uvicorn app.service.server:app`"));
    project.run(&["gen", "python", "flows", "-o", "my-gen", "--scaffold"]).exits(2).says("cannot be imported as a Python package");
    project.write("weave.toml", "[gen.python]\nmodule = \"mine.gen\"\n");
    project.run(&["gen", "python", "flows", "-o", "my-gen", "--scaffold=other"]).exits(0);
    assert!(project.read("other/shop.py").contains("from mine.gen.shop import"));
}

#[test]
fn what_asks_for_nothing_has_no_skeleton() {
    let project = Project::new(&[("a.weave", "type A { a: int }\n")]);
    project.run(&["gen", "ts", "a.weave", "-o", "out", "--scaffold"]).exits(0).says("so there is no skeleton");
    assert!(!project.path("service").exists());
}

/// For each language: what the program is at first and later, the file, what somebody has done without there, and what is printed.
const IMPORTING: [[&str; 7]; 3] = [
    [
        "go",
        SHOP,
        "tool free(ticket: string)\n",
        "app/service/shop.go",
        "\tweave \"example.com/app/gen/weaveruntime\"\n",
        "out, weave.Unimplemented(\"reserve\")",
        "import weave \"example.com/app/gen/weaveruntime\"\n\nfunc (s *ShopService) Free(",
    ],
    [
        "python",
        "tool reserve(sku: string) -> int { progress int, artifacts int }\n",
        "tool free(ticket: string)\n",
        "app/service/shop.py",
        "",
        "",
        "from typing import Never\n\n    async def free(",
    ],
    [
        "ts",
        SHOP,
        "prompt tell(x: string) hydrates { y: string } \"{{.x}} {{.y}}\"\n",
        "app/service/shop.ts",
        "",
        "",
        "import type { Hydrators } from \"../gen/shop/prompts.js\";\n\n/**",
    ],
];

#[test]
fn what_a_new_method_needs_is_imported() {
    for [language, first, more, file, import, body, expected] in IMPORTING {
        let project = project();
        project.write("flows/shop.weave", first);
        let arguments = ["gen", language, "flows", "-o", "app/gen", "--scaffold"];
        project.run(&arguments).exits(0);
        let text = project.read(file);
        let mine = text.replace(import, "").replace(body, "");
        project.write(file, &mine);
        project.write("flows/shop.weave", format!("{first}{more}"));
        let said = project.run(&arguments).exits(0).says(&format!("`{file}` lacks `"));
        assert!(said.stdout.contains(expected), "{said:#?}");
        assert_eq!(said.stdout.matches("import").count(), 1, "{said:#?}");
        // What is there is not printed again.
        let (imports, _) = expected.split_once('\n').unwrap();
        project.write(file, format!("{mine}\n{imports}\n"));
        let said = project.run(&arguments).exits(0).says("lacks");
        assert!(!said.stdout.contains("import"), "{said:#?}");
    }
}

#[test]
fn a_folder_may_be_called_anything() {
    let project = project();
    for (language, server) in [("go", "main.go"), ("python", "server.py")] {
        let folder = "app/odd\"\"\"\nimport nothing";
        project.run(&["gen", language, "flows", "-o", "app/gen", &format!("--scaffold={folder}")]).exits(0);
        let text = project.read(&format!("{folder}/{server}"));
        assert!(
            text.lines().all(|line| !line.starts_with("import nothing"))
                && !text.starts_with("\"\"\"The tools as an application of ASGI: `uvicorn odd\"\"\""),
            "{text}"
        );
    }
}

#[test]
fn templates_may_be_replaced() {
    let project = project();
    let shown = project.run(&["gen", "ts", "--print-template", "handler.ts"]).exits(0).stdout;
    project.write("mine/handler.ts", format!("// ours: {{{{ shared }}}}\n{shown}"));
    project.write("mine/.notes", "no template");
    project.write("weave.toml", "[gen.typescript]\noutput = \"src/gen\"\ntemplates = \"mine\"\n");
    project.run(&["gen", "ts", "flows", "--scaffold"]).exits(0).says("written");
    assert!(project.read("src/service/handler.ts").starts_with("// ours: "), "{}", project.read("src/service/handler.ts"));
    assert!(project.read("src/service/shop.ts").contains("  reserve: () => {"));
    // What would never be looked at is refused, as is what cannot be read or means nothing; nothing has been written then.
    std::fs::remove_dir_all(project.path("src")).unwrap();
    for (name, text, exit, said) in [
        ("handlr.ts", "", 2, "did you mean `handler.ts`?"),
        ("handler.ts", "{% for %}", 1, "the template `theirs/handler.ts`, line 1"),
        ("server.py", "", 2, "`theirs/server.py` is not a template for typescript"),
    ] {
        project.write(&format!("theirs/{name}"), text);
        project.run(&["gen", "ts", "flows", "--scaffold", "--templates", "theirs"]).exits(exit).says(said);
        std::fs::remove_dir_all(project.path("theirs")).unwrap();
        assert!(!project.path("src").exists());
    }
    project.run(&["gen", "ts", "flows", "--scaffold", "--templates", "theirs"]).exits(2).says("cannot read `theirs`");
    project.write("theirs/service.ts", "{{ nobody }}");
    project.run(&["gen", "ts", "flows", "--scaffold", "--templates", "theirs"]).exits(1).says("--print-template service.ts");
    assert!(!project.path("src").exists());
    project.run(&["gen", "ts", "flows", "--templates", "theirs"]).exits(2).says("--scaffold");
    project.run(&["gen", "go", "--print-template", "handler.ts"]).exits(2).says("the templates are `");
}
