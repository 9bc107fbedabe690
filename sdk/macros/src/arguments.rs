//! The arguments of a tool function: the stage, and the input from the model.

use crate::members::{self, Member, fail, hygienic, is_named, type_text};
use crate::schema;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, Result, Type};

/// The arguments of a tool function.
pub(crate) struct Arguments {
    pub(crate) stage: bool,
    how: Input,
}

enum Input {
    /// Each argument is a member of the input.
    Members(Vec<Member>),
    /// One argument, marked `#[args]`, is the whole input.
    Whole(Box<Type>),
}

/// Removes and returns the doc comments, `#[arg]` and `#[args]` of each argument, which the compiler
/// would reject.
pub(crate) fn take_attributes(function: &mut ItemFn) -> Vec<Vec<Attribute>> {
    let ours = |attribute: &mut Attribute| {
        let path = attribute.path();
        path.is_ident("doc") || path.is_ident("arg") || path.is_ident("args")
    };
    let take = |argument: &mut FnArg| match argument {
        FnArg::Typed(argument) => argument.attrs.extract_if(.., ours).collect(),
        FnArg::Receiver(receiver) => receiver.attrs.extract_if(.., ours).collect(),
    };
    function.sig.inputs.iter_mut().map(take).collect()
}

impl Arguments {
    pub(crate) fn read(function: &ItemFn, attributes: &[Vec<Attribute>]) -> Result<Self> {
        let mut stage = false;
        let mut members = Vec::new();
        let mut whole: Option<Box<Type>> = None;
        for (position, (argument, attributes)) in
            function.sig.inputs.iter().zip(attributes).enumerate()
        {
            let argument = match argument {
                FnArg::Typed(argument) => argument,
                FnArg::Receiver(receiver) => {
                    let message = "a tool cannot take `self`: each call runs in a new instance, so keep data in `stage.state(…)`";
                    return fail(receiver, message);
                }
            };
            let ty = &argument.ty;
            if is_stage(ty) {
                if position > 0 {
                    return fail(ty, "`stage: &Stage` must be the first argument");
                }
                stage = true;
                continue;
            }
            if is_named(without_reference(ty), "Stage") {
                return fail(ty, "a tool borrows the stage: write `stage: &Stage`");
            }
            // Any pattern is allowed here, because the macro uses only the type.
            let is_whole = |attribute: &Attribute| attribute.path().is_ident("args");
            if attributes.iter().any(is_whole) {
                if whole.replace(ty.clone()).is_some() {
                    return fail(ty, "only one argument can be marked `#[args]`");
                }
                continue;
            }
            let Pat::Ident(pattern) = &*argument.pat else {
                let message = "an argument needs a plain name, by which the model passes it";
                return fail(&argument.pat, message);
            };
            let name = pattern.ident.clone();
            members.push(Member::parse(name, (**ty).clone(), attributes, "arg")?);
        }
        let how = match (whole, members.is_empty()) {
            (None, _) => Input::Members(members),
            (Some(ty), true) if schema::builtin(&ty).is_some() => {
                return fail(
                    &ty,
                    "`#[args]` needs a struct with a field for each argument",
                );
            }
            (Some(ty), true) => Input::Whole(ty),
            (Some(ty), false) => {
                let name = type_text(&ty);
                let message =
                    format!("`#[args]` makes `{name}` the whole input: remove the other arguments");
                return fail(&ty, message);
            }
        };
        Ok(Self { stage, how })
    }

    pub(crate) fn schema(&self) -> TokenStream {
        match &self.how {
            Input::Members(members) => members::schema(members),
            Input::Whole(ty) => members::argument(ty, "whole_schema", &TokenStream::new()),
        }
    }

    /// Returns the types of the arguments, without the stage.
    pub(crate) fn types(&self) -> Vec<&Type> {
        match &self.how {
            Input::Members(members) => members.iter().map(Member::ty).collect(),
            Input::Whole(ty) => vec![ty],
        }
    }

    /// Returns statements that parse the input, and the variables that they bind.
    pub(crate) fn bind(&self) -> (TokenStream, Vec<Ident>) {
        let (input, read_input) = (hygienic("input"), hygienic("members"));
        match &self.how {
            Input::Members(members) if members.is_empty() => (TokenStream::new(), Vec::new()),
            Input::Members(members) => {
                let values = (0..members.len()).map(|n| hygienic(&format!("argument_{n}")));
                let values: Vec<Ident> = values.collect();
                let read = members.iter().map(Member::read);
                let bind = quote! {
                    let #read_input = ::footlight_sdk::__private::Members::arguments(#input)?;
                    #(let #values = #read;)*
                };
                (bind, values)
            }
            Input::Whole(ty) => {
                let read = members::argument(ty, "whole", &quote!(#input));
                (quote!(let #read_input = #read?;), vec![read_input])
            }
        }
    }
}

fn is_stage(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_none() && is_named(&reference.elem, "Stage"))
}

/// Returns the type behind a reference, or the type itself.
fn without_reference(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => &reference.elem,
        owned => owned,
    }
}
